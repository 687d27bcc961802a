export interface Guest {
  name: string
  visits: number
}

const guests: Guest[] = [{ name: 'Ada', visits: 2 }]

export function welcome(name: string): Guest {
  let guest = guests.find((g) => g.name === name)
  if (!guest) {
    guest = { name, visits: 0 }
    guests.push(guest)
  }
  guest.visits++
  return guest
}
