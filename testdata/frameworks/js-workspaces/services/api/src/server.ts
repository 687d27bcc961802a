import { createServer } from 'node:http';
import { withTax } from '@shop/tax';

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const gross = withTax(Number(url.searchParams.get('net')), 20);
  response.end(`${gross}\n`);
});

server.listen(process.env.PORT ?? 0, '127.0.0.1');
