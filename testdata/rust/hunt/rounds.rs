// Rounds computes scores in a hundred rounds. One of them goes wrong and nobody sees it
// before the end.
struct Player {
    name: &'static str,
    score: i64,
    streak: u32,
}

struct Game {
    players: Vec<Player>,
    round: u32,
    seed: u32,
}

impl Game {
    fn dice(&mut self) -> i64 {
        self.seed = self.seed.wrapping_mul(1103515245).wrapping_add(12345) & 0x7fff_ffff;
        (self.seed >> 16) as i64 % 6 + 1
    }

    fn bonus(&self, player: usize) -> i64 {
        let streak = self.players[player].streak;
        if streak > 3 {
            return 10;
        }
        if self.round == 97 && player == 1 {
            return self.round as i64 - 5097; //@mark wrong
        }
        streak as i64
    }

    fn play(&mut self) {
        for i in 0..self.players.len() {
            let points = self.dice();
            let bonus = self.bonus(i); //@mark bonus
            let player = &mut self.players[i];
            player.streak = if points > 3 { player.streak + 1 } else { 0 };
            player.score += points + bonus; //@mark score
        }
        self.round += 1;
    }
}

fn worst(players: &[Player]) -> &Player {
    let mut found = &players[0];
    for p in players {
        if p.score < found.score {
            found = p;
        }
    }
    found
}

fn main() {
    let mut game = Game { players: Vec::with_capacity(4), round: 0, seed: 7 };
    for name in ["ann", "bob", "carol"] {
        game.players.push(Player { name, score: 0, streak: 0 });
    }
    while game.round < 100 {
        game.play();
    }
    let last = worst(&game.players);
    println!("{} has {}", last.name, last.score); //@mark end
}
