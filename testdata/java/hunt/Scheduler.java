import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs jobs by turns; one of a hundred turns leaves a job out. */
public class Scheduler {
    static class Job {
        final int id;
        int left;
        int ran;

        Job(int id, int left) {
            this.id = id;
            this.left = left;
        }

        boolean step() {
            ran++;
            left--;
            return left == 0;
        }
    }

    /** A ring of jobs, with the place of the one whose turn is next. */
    static class Ring {
        private final Job[] slots;
        private int size;
        private int next; // the slot whose turn it is

        Ring(int room) {
            slots = new Job[room];
        }

        void add(Job job) {
            slots[size++] = job;
        }

        Job take() {
            if (size == 0) {
                return null;
            }
            if (next >= size) {
                next = 0; //@mark wrap
            }
            return slots[next++]; //@mark take
        }

        void remove(Job job) {
            int at = Arrays.asList(slots).indexOf(job);
            for (int i = at; i < size - 1; i++) {
                slots[i] = slots[i + 1]; //@mark shift
            }
            slots[--size] = null;
        }
    }

    static class Log {
        private final List<String> lines = new ArrayList<>();

        void done(Job job, int turn) {
            lines.add(job.id + " in turn " + turn);
        }
    }

    private final Ring ring;
    private final Log log = new Log();
    private final int[] started;
    private int turns;

    Scheduler(Job... jobs) {
        ring = new Ring(jobs.length);
        started = new int[jobs.length];
        Arrays.fill(started, -1);
        for (Job job : jobs) {
            ring.add(job);
        }
    }

    void turn() {
        Job job = ring.take(); //@mark turn
        if (job == null) {
            return;
        }
        int index = job.id;
        if (started[index] < 0) {
            started[index] = turns; //@mark started
        }
        turns++;
        if (job.step()) {
            log.done(job, turns);
            ring.remove(job);
        }
    }

    public static void main(String[] args) {
        Job[] jobs = new Job[40];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = new Job(i, i == 17 ? 1 : 5);
        }
        Scheduler scheduler = new Scheduler(jobs);
        for (int i = 0; i < 100; i++) {
            scheduler.turn();
        }
        int late = scheduler.started[18];
        if (late != 18) {
            System.err.println("job 18 began in turn " + late); //@mark late
            System.exit(3);
        }
    }
}
