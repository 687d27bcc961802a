import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { slug } from '../src/slug.js';

suite('slug', () => {
  test('joins words', () => {
    assert.equal(slug('Hello, Ada & Bob!'), 'hello-ada-bob');
  });

  test('leaves nothing of nothing', () => {
    assert.equal(slug('…'), '');
  });
});
