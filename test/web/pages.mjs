// Every page of the app, with what must stand on it.
import { work } from './project.mjs'

export function pages(project) {
  const demo = project.demo
  return [
    { name: 'sessions', path: '/', shows: ['Does a cell read its fate', 'fireflies'] },
    { name: 'now', path: '/now', shows: ['What waits for you', 'What everyone does'] },
    { name: 'search', path: '/search?q=transplant', shows: ['Two tests and what they stand on'] },
    { name: 'start', path: '/start', shows: ['Ask a question'] },
    { name: 'session', path: `/t/${work}`, shows: ['Latest version', 'The delay was never measured', 'A fourth way'] },
    { name: 'session-complete', path: `/t/${demo}`, shows: ['Persisted', 'A leader would always be late'] },
    { name: 'artifact', path: `/t/${demo}/v/2`, shows: ['Clocks that nudge each other', 'A leader sets the beat'] },
    { name: 'artifact-draft', path: `/t/${work}/draft`, shows: ['A clock in the cell'] },
    { name: 'diff', path: `/t/${demo}/diff?from=1&to=2`, shows: ['H1', 'H2'] },
    { name: 'map', path: `/t/${demo}/map`, shows: ['What bears on each explanation', 'contradicted by', 'The cloth, timed'] },
    { name: 'diagnose', path: `/t/${work}/diagnose`, shows: ['In a hurry'] },
    { name: 'genealogy', path: '/genealogy', shows: ['A clock in the cell', 'Clocks that nudge each other'] },
    { name: 'evidence', path: '/evidence', shows: ['Letter of an observer', 'EV-002'] },
    { name: 'source', path: '/evidence/EV-001', shows: ['the better'] },
    { name: 'inboxes', path: '/inbox', shows: ['Operator', 'BlueLake'] },
    { name: 'inbox', path: '/inbox/Operator', shows: ['Forty cells are ready'] },
    { name: 'compose', path: '/compose', shows: ['Write a message'] },
    { name: 'message', path: '/m/12', shows: ['A leader would always be late'] },
    { name: 'problem', path: '/t/RS-20200101-not-there', shows: ['There is nothing here', 'NOT_FOUND'], status: 404 },
  ]
}
