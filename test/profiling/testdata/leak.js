// Keeps what it should forget, and forgets the rest.
'use strict';
const kept = new Map();

class Account {
  constructor(number) {
    this.number = number;
    this.parts = [number, number + 1];
  }
}

class Request {
  constructor(session) {
    this.session = session;
  }
}

function remember(number) {
  const session = new Account(number);
  kept.set(`user-${number}`, session);
  return session;
}

function forget(session) {
  return new Request(session);
}

function round() {
  for (let i = 0; i < 20; i++) forget(remember(kept.size));
}
setInterval(round, 5);
