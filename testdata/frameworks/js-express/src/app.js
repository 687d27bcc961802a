import express from 'express';
import { greetings } from './routes/greetings.js';

export const app = express();

app.use(express.json());
app.use('/greet', greetings);
