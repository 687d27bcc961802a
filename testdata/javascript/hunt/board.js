// A board shows who is first. In the middle of a game it fails, because the first is
// nobody any more: an index was kept while the list changed.
'use strict';

class Player {
  constructor(name) {
    this.name = name;
    this.points = 0;
    this.rounds = 0;
  }

  score(points) {
    this.points += points;
    this.rounds++;
  }
}

class Board {
  constructor() {
    this.players = [];
    this.leader = -1;
    this.places = new Map();
    this.log = [];
  }

  join(name) {
    const player = new Player(name);
    this.players.push(player);
    this.places.set(name, this.players.length - 1); //@mark joined
    return player;
  }

  at(name) {
    return this.players[this.places.get(name)];
  }

  score(name, points) {
    const place = this.places.get(name);
    const player = this.players[place];
    player.score(points);
    const best = this.players[this.leader];
    if (this.leader < 0 || player.points > best.points) { //@mark compared
      this.leader = place; //@mark leads
    }
    this.note(`${name} has ${player.points}`);
  }

  leave(name) {
    const place = this.places.get(name);
    this.players.splice(place, 1); //@mark left
    this.places.delete(name);
    for (const [other, p] of this.places) {
      if (p > place) this.places.set(other, p - 1);
    }
    this.note(`${name} has left`);
  }

  note(text) {
    this.log.push(text);
    if (this.log.length > 10) this.log.shift();
  }

  first() {
    const index = this.leader;
    const player = this.players[index];
    return player; //@mark first
  }
}

// rounds is a game in which the last is strong at the end.
function rounds(board) {
  const names = ['ann', 'bob', 'cid', 'dan'];
  for (const name of names) board.join(name);
  for (let round = 1; round <= 12; round++) {
    names.forEach((name, i) => {
      if (name === 'ann' && round > 6) return;
      board.score(name, (round * (i + 3)) % 7 + i);
    });
    if (round === 6) board.leave('ann');
  }
}

function main() {
  const board = new Board();
  rounds(board);
  const best = board.first();
  const name = best && best.name;
  console.log(name, board.leader, board.players.map((p) => `${p.name} ${p.points}`).join(', ')); //@mark board
}

main();
