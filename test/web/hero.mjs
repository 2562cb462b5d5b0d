// The picture at the head of the README: what a question looks like when several agents have argued about it. Every word and figure in it
// but the sentences on the left is taken from the page of a session, as the program draws it.
const words = {
  head: ['Several AI agents.', 'One question.', 'A record you can check.'],
  says: 'They propose rival explanations, say beforehand what each test should find, attack each other, and change their minds in the open.',
  promises: [
    ['lock', 'Predictions come before results', ', and late edits are marked.'],
    ['quo', 'Quotations are checked', ' against their source, word for word.'],
    ['ok', 'Every percentage can be derived again', ', offline, by anybody.'],
  ],
}

const style = `
  body { overflow: hidden }
  #hero { position: fixed; inset: 0; z-index: 99; background: var(--paper); padding: 40px 46px 40px 70px; display: grid; grid-template: minmax(0, 1fr) / 558px 1fr; gap: 42px }
  #hero .left { display: flex; flex-direction: column }
  #hero .brand { font-size: 29px; margin: 16px 0 50px; display: flex; gap: 12px; align-items: center; color: var(--ink); text-decoration: none }
  #hero .brand svg, #hero .brand img { width: 43px; height: 43px }
  #hero h1 { font: 600 53px/1.1 var(--serif); letter-spacing: -.015em; margin: 0 0 26px; white-space: pre-line; max-width: none }
  #hero .says { font: 400 22.5px/1.4 var(--serif); margin: 0; max-width: 34em }
  #hero .promises { list-style: none; margin: auto 0 18px; padding: 0; display: grid; gap: 15px; font-size: 18px; line-height: 1.36 }
  #hero .promises li { display: flex; gap: 18px; padding: 0 }
  #hero .promises svg { width: 21px; height: 21px; flex: none; margin-top: 3px; color: var(--accent) }
  #hero .right { display: flex; flex-direction: column; gap: 18px; min-width: 0; min-height: 0 }
  #hero .box { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 22px 30px; box-shadow: 0 10px 40px rgb(0 0 0 / .07) }
  #hero h2 { font: 640 27px/1.2 var(--serif); margin: 0 0 12px; border: 0 }
  #hero .verdict-line { display: flex; gap: 22px; align-items: center; margin-bottom: 14px }
  #hero .vw { font: 640 33px/1 var(--serif); margin: 0 }
  #hero .lead { font: 400 18.5px/1.35 var(--serif); margin: 0 }
  #hero .sharebar { display: block; height: 46px }
  #hero .life { padding: 10px 16px 8px; flex: 1; min-height: 0 }
  #hero .life svg { width: 100%; height: 100%; display: block }
  #hero .life :is(.tick, .vline, .band, .flag .d, .named .m, .named rect, .ad, .pin, .at, .pt, text.d:not(.s)) { display: none }
  #hero .life .named text.s { font-size: 25px; transform: translate(-72px, 12px) }
  #hero .life svg > text.s { font-size: 31px; transform: translateY(4px) }
  #hero .life .flag text { font-size: 17px }
  #hero .life .verdict { transform-box: fill-box; transform-origin: center; transform: scale(1.4) }
  #hero .life text.badt { font-size: 20px; transform: translate(8px, 12px) }
  #hero .three { display: grid; grid-template-columns: repeat(3, 1fr); gap: 18px }
  #hero .three .box { padding: 14px 16px }
  #hero .three figure { margin: 0; width: auto; max-width: none; border: 0; padding: 0; min-width: 0 }
  #hero .three svg.forest { width: 100%; height: auto; display: block }
`

// compose puts the parts of the page of a session together, in the page itself, so that they keep their styles.
function compose({ words, style, tests }) {
  const make = (tag, className, ...inside) => {
    const e = document.createElement(tag)
    e.className = className
    e.append(...inside.filter((part) => part !== null))
    return e
  }
  const mark = (name) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('class', 'i')
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use')
    use.setAttribute('href', `#i-${name}`)
    svg.append(use)
    return svg
  }
  const of = (selector) => {
    const found = document.querySelector(selector)
    if (!found) throw new Error(`the page has no ${selector}`)
    return found
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]

  const panels = tests.map((id) => {
    const panel = [...document.querySelectorAll('figure.fp')].find((f) => f.querySelector('.ref')?.textContent === id)
    if (!panel) throw new Error(`nothing measured ${id}`)
    return make('div', 'box', panel)
  })
  // Nothing but the lanes, in letters that are read where the picture is half as wide.
  const life = of('#life svg')
  const { width, height } = life.viewBox.baseVal
  life.setAttribute('viewBox', `-40 26 ${width + 40} ${height - 64}`)
  for (const label of life.querySelectorAll('text.badt')) if (!label.textContent.startsWith('given up')) label.remove()
  const left = make('div', 'left', of('header .brand'), make('h1', '', words.head.join('\n')), make('p', 'says', words.says),
    make('ul', 'promises', ...words.promises.map(([icon, bold, rest]) => make('li', '', mark(icon), make('span', '', make('b', '', bold), rest)))))
  const verdict = make('div', 'box', make('h2', '', of('.session-head h1').textContent.trim()),
    make('div', 'verdict-line', of('.verdict .vw'), of('.say .lead')), of('.say svg.sharebar'))
  const right = make('div', 'right', verdict, make('div', 'box life', life), make('div', 'three', ...panels))
  const hero = make('div', '', left, right)
  hero.id = 'hero'
  document.body.append(hero)
}

// takeHero takes the picture from the open page of a session in which something was measured.
export async function takeHero(page, path) {
  await page.evaluate(compose, { words, style, tests: ['T3', 'T1', 'T5'] })
  await page.screenshot({ path })
}
