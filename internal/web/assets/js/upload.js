// A file that is chosen is read into the fields of its form: its name, and its bytes as base64.
const most = 24 << 20;

export function uploads() {
  document.addEventListener("change", async (event) => {
    const input = event.target;
    if (!input.matches?.("input[type=file][data-upload]")) return;
    const form = input.form, [file] = input.files, place = form.querySelector("[data-uploaded]");
    const set = (name, value) => { form.querySelector(`[name=${name}]`).value = value; };
    set("name", "");
    set("data", "");
    input.setCustomValidity("");
    if (!file) return;
    if (file.size > most) {
      place.textContent = "It is larger than 24 MiB: add it on the machine itself.";
      input.setCustomValidity(place.textContent);
      return;
    }
    set("data", await base64(file));
    set("name", file.name);
    place.textContent = `${file.name}, ${Math.max(1, Math.round(file.size / 1024))} KiB`;
  });
}

function base64(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
}
