import { app } from './app.js';

const server = app.listen(process.env.PORT ?? 0, () => {
  console.log(`listening on http://localhost:${server.address().port}`);
});
