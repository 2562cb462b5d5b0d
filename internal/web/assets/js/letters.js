// The words of a letter of the matrix, for whoever points at it. Those who do not see it hear them anyway.
export function letters() {
  document.addEventListener("pointerover", (event) => {
    const cell = event.target instanceof Element && event.target.closest(".mx.letters td");
    const words = cell && !cell.title && cell.querySelector(".sr");
    if (words) cell.title = words.textContent;
  });
}
