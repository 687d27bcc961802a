// Jobs are worked off one after the other, and each tells when it is done. The state of
// the first job is wrong at the end: what came too late has overwritten it.
'use strict';
const { EventEmitter } = require('events');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Job {
  constructor(id, work) {
    this.id = id;
    this.work = work;
    this.state = 'new';
    this.result = undefined;
    this.tries = 0;
  }

  become(state) {
    this.state = state; //@mark state
  }
}

class Queue extends EventEmitter {
  constructor(limit) {
    super();
    this.jobs = [];
    this.limit = limit;
    this.waiting = 0;
    this.on('slow', (job) => this.retry(job));
  }

  add(work) {
    const job = new Job(this.jobs.length, work);
    this.jobs.push(job);
    this.waiting++;
    return job;
  }

  async run(job) {
    job.tries++;
    job.become('running');
    const timer = setTimeout(() => {
      this.emit('slow', job); //@mark slow
    }, this.limit);
    try {
      job.result = await job.work(job.tries);
      job.become('done'); //@mark done
      this.emit('done', job);
    } catch (error) {
      job.result = error.message;
      job.become('failed'); //@mark failed
    } finally {
      if (job.tries > 1) clearTimeout(timer);
      this.waiting--;
    }
  }

  retry(job) {
    if (job.tries > 1) return;
    const again = 'retrying';
    job.become(again); //@mark retry
  }

  async all() {
    for (const job of this.jobs) await this.run(job);
    await sleep(this.limit * 2);
  }
}

class Report {
  constructor(queue) {
    this.finished = [];
    queue.on('done', (job) => this.finished.push(job.id));
  }

  text(queue) {
    return queue.jobs.map((job) => `${job.id} ${job.state}`).join(', ');
  }
}

async function main() {
  const queue = new Queue(60);
  const report = new Report(queue);
  queue.add(async () => {
    await sleep(5);
    return 'quick';
  });
  queue.add(async (tries) => {
    if (tries > 0) throw new RangeError('no such thing');
    return 'never';
  });
  queue.add(async () => 'at once');
  await queue.all();
  const [first] = queue.jobs;
  const state = first.state;
  console.log(state, report.text(queue), report.finished); //@mark queue
}

main();
