let n = 0;

function tick() {
  n++;
  return n; //@mark tick
}

setInterval(tick, 50);
console.log('ready');
