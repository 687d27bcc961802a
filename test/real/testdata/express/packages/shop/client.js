'use strict';
// Asks the shop for two orders; what is no success has no body here.
const http = require('http');
const { server } = require('./server');

function get(path) {
  return new Promise((resolve, reject) => {
    http.get({ port: server.address().port, path, agent: false }, (res) => {
      let text = '';
      res.on('data', (part) => { text += part; });
      res.on('end', () => resolve({ status: res.statusCode, body: res.statusCode === 200 ? JSON.parse(text) : null }));
    }).on('error', reject);
  });
}

async function main() {
  const first = await get('/orders/1');
  console.log(first.body.customer);
  const second = await get('/orders/2');
  console.log(second.body.customer);
  server.close();
}

server.on('listening', main);
