const assert = require('node:assert');
const { Queue } = require('../../lib/queue');

describe('Queue', function () {
  it('takes what is urgent first', function () {
    const queue = new Queue();
    queue.push('sweep');
    queue.push('put out the fire', 9);
    assert.equal(queue.next(), 'put out the fire');
  });
});
