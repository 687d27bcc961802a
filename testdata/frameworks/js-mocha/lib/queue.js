exports.Queue = class Queue {
  #jobs = [];

  push(job, priority = 0) {
    const at = this.#jobs.findIndex((other) => other.priority < priority);
    const place = at < 0 ? this.#jobs.length : at;
    this.#jobs.splice(place, 0, { job, priority }); // @mark place
  }

  next() {
    return this.#jobs.shift()?.job;
  }
};
