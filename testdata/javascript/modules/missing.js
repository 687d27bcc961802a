console.log('never');
import { nothing } from './nowhere.js';
