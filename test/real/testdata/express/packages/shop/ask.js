'use strict';
// Asks the shop's server for an order, by itself, and ends it.
const http = require('http');
const { server } = require('./server');

server.once('listening', () => {
  http.get({ port: server.address().port, path: `/orders/${process.argv[2]}` }, (res) => {
    let text = '';
    res.on('data', (chunk) => (text += chunk)).on('end', () => {
      const answer = `${res.statusCode} ${text.split('\n')[0]}`;
      console.log(answer);
      server.close();
    });
  });
});
