import { Router } from 'express';

export const greetings = Router();

greetings.get('/:name', async (req, res) => {
  const greeting = `Hello, ${req.params.name}${req.query.loud ? '!' : '.'}`;
  res.json({ greeting }); // @mark reply
});
