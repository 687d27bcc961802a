// What the statements that are put into the program's sources say of what they look at.
'use strict';

// Of a target; without a flag the place itself is meant. paths.cjs says how a look is written.
const EXACT = 2; // the statement has changed no more of the object than it is found to have
const METHOD = 3; // it has called a method, which may be one of the program's own
const KEYED = 4; // its key is worked out: it is meant where that is the name in question
const ALIAS = 5; // the object is meant where it lies in a place that is asked about
const NAMED = 6; // the object is one that lies there
const TOUCHED = 7; // a method has changed the object, if it did

// inside says that what lies in an object is meant.
const inside = (flag) => flag !== undefined && flag !== 0 && flag !== KEYED && flag !== TOUCHED;

// Of a function whose calls are noted:
const VOUCHES = true; // what it calls is called by the statement at which it stands
const RESTS = 2; // it rests and goes on later
const UNSURE = 3; // it does not tell

module.exports = { EXACT, METHOD, KEYED, ALIAS, NAMED, TOUCHED, inside, VOUCHES, RESTS, UNSURE };
