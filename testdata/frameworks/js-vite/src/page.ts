import { type Guest, welcome } from './guests'

export function render(url: string): string {
  const guest: Guest = welcome(decodeURIComponent(url.slice('/guests/'.length)))
  return `<h1>Hello, ${guest.name}!</h1><p>Visit ${guest.visits}</p>` // @mark page
}
