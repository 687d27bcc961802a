// The program that the benchmark debugs: a loop to step through, then an error.
function average(marks, rounds) {
  let sum = 0;
  for (let i = 0; i < rounds; i++) {
    const mark = marks[i % marks.length];
    sum += mark;
  }
  return sum / marks.missing.length;
}

console.log("average:", average([3, 1, 4, 1, 5], 200));
