// Records a terminal: plays commands for real, in an empty folder, and draws what they printed as one animated SVG without a script. Who
// wants no motion sees the end.
//
//   node recording.mjs PATH/TO/brenner FILE.svg
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'

const brenner = resolve(process.argv[2])
const file = resolve(process.argv[3])

const columns = 104
const rows = 27
const lineHeight = 19
const advance = 8.15 // of a character
const pause = { key: 0.035, line: 0.11, command: 1.6, end: 6 }

const commands = [
  ['brenner', 'demo', '--dir', 'fireflies'],
  ['cd', 'fireflies'],
  ['brenner', 'beliefs'],
  ['brenner', 'artifact', 'blame', 'H2.mechanism'],
  ['brenner', 'verify'],
]

// play returns each command with the lines that it printed.
function play() {
  const scratch = mkdtempSync(join(tmpdir(), 'brenner-recording-'))
  const home = join(scratch, 'home')
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', TZ: 'UTC', COLUMNS: String(columns) }
  let cwd = home
  try {
    return commands.map(([program, ...args]) => {
      if (program === 'cd') cwd = join(cwd, ...args)
      const printed = program === 'cd' ? '' : execFileSync('sh', ['-c', '"$0" "$@" 2>&1', brenner, ...args], { cwd, env, encoding: 'utf8' })
      return { typed: [program, ...args].join(' '), lines: printed.replaceAll(home, '~').trimEnd().split('\n').flatMap(wrap) }
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

// wrap breaks a line as a terminal does, but between words.
function wrap(line) {
  const list = []
  while ([...line].length > columns) {
    const at = line.lastIndexOf(' ', columns) > columns / 2 ? line.lastIndexOf(' ', columns) : columns
    list.push(line.slice(0, at))
    line = `  ${line.slice(at).trimStart()}`
  }
  return [...list, line]
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const seconds = (n) => `${Math.round(n * 1000) / 1000}s`

// draw gives every line the moment at which it appears, and moves the screen up when it is full.
function draw(played) {
  const texts = []
  const moves = [[0, 0]]
  let time = 0.6
  const put = (content, from) => {
    const y = texts.length * lineHeight
    texts.push(`<text y="${y}" class="at" style="animation-delay:${seconds(from)}" xml:space="preserve">${content}</text>`)
    if (texts.length > rows) moves.push([from, (texts.length - rows) * lineHeight])
  }
  for (const { typed, lines } of played) {
    put(`<tspan class="p">$ </tspan><tspan class="c">${escaped(typed)}</tspan>`, time)
    time += typed.length * pause.key
    for (const line of lines.filter((l, i) => l || i)) put(escaped(line), time += pause.line)
    time += pause.command
  }
  const whole = time + pause.end
  const steps = moves.flatMap(([at, up], i) => [
    ...(i ? [`${(100 * at / whole).toFixed(3)}%{transform:translateY(${-moves[i - 1][1]}px)}`] : []),
    `${(100 * (at + 0.001) / whole).toFixed(3)}%{transform:translateY(${-up}px)}`,
  ])
  const last = -moves.at(-1)[1]
  const width = Math.ceil(columns * advance) + 48
  const height = rows * lineHeight + 74
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: ${escaped(played.map((p) => p.typed).join('; '))}">
<style>
text{font:13.5px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d7dce2;white-space:pre}
.p{fill:#6fd0c8}.c{fill:#fff;font-weight:600}
.at{opacity:0;animation:show 1ms forwards}
@keyframes show{to{opacity:1}}
.screen{transform:translateY(${last}px);animation:up ${seconds(whole)} forwards}
@keyframes up{0%{transform:translateY(0)}${steps.join('')}100%{transform:translateY(${last}px)}}
@media (prefers-reduced-motion:reduce){.at{opacity:1;animation:none}.screen{animation:none}}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#14171a"/>
<circle cx="22" cy="20" r="6" fill="#ff6b61"/><circle cx="42" cy="20" r="6" fill="#f3bf6b"/><circle cx="62" cy="20" r="6" fill="#7fd6a0"/>
<svg x="24" y="44" width="${width - 24}" height="${rows * lineHeight + 12}"><g class="screen"><g transform="translate(0 14)">
${texts.join('\n')}
</g></g></svg>
</svg>
`
}

writeFileSync(file, draw(play()))
