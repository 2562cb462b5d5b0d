// Small choices that a browser remembers. Where storage is turned off they last as long as the page.

const here = new Map();

export function kept(name) {
  try {
    return localStorage.getItem(`brenner.${name}`) ?? undefined;
  } catch {
    return here.get(name);
  }
}

export function keep(name, value) {
  here.set(name, value);
  try {
    if (value === undefined) localStorage.removeItem(`brenner.${name}`);
    else localStorage.setItem(`brenner.${name}`, value);
  } catch {
    // it lasts as long as the page
  }
}
