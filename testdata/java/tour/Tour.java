import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Tour goes through what a debugger is asked for; its first argument names the
 * part. The same program stands in testdata for every language.
 */
public class Tour {
    static int counter = 10;

    record Address(String city, List<String> tags) {}

    record Person(String name, int age, Address address) {}

    record Level(int depth, Level next) {}

    public static void main(String[] args) throws Exception {
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8)); //@mark main
        String part = args.length > 0 ? args[0] : "loop";
        switch (part) {
            case "loop" -> loop();
            case "calls" -> calls();
            case "values" -> values();
            case "big" -> big();
            case "watch" -> watch();
            case "throw" -> throwing();
            case "catch" -> catching();
            case "exit3" -> exit3();
            case "streams" -> streams();
            case "echo" -> echo();
            case "spin" -> spin();
            case "sleep" -> sleep();
            case "threads" -> threads();
            case "recursion" -> recursion();
            default -> throw new IllegalArgumentException("there is no part " + part);
        }
    }

    static void loop() {
        int[] items = {3, 1, 4, 1, 5, 9, 2, 6, 5, 4};
        int total = 0; //@mark loop-start
        for (int i = 0; i < 10; i++) {
            int item = items[i];
            total += item; //@mark sum
        }
        System.out.println("total " + total); //@mark loop-end
    }

    static int twice(int n) {
        int result = n * 2; //@mark twice
        return result; //@mark twice-return
    }

    static int combine(int a, int b) {
        int both = a + b; //@mark combine
        return both; //@mark combine-return
    }

    static void calls() {
        int count = 6; //@mark calls-start
        int first = twice(count); //@mark call
        int second = combine(twice(first), count); //@mark nested
        count = count + second; //@mark after
        System.out.println("calls " + count + " " + first); //@mark calls-end
    }

    static void values() {
        boolean yes = true;
        int whole = 42;
        long huge = 9007199254740993L;
        double ratio = 1.5;
        String name = "grüße 🙂";
        String lines = "one\n\"two\"";
        List<Integer> list = List.of(10, 20, 30);
        Map<String, Integer> ages = new LinkedHashMap<>();
        ages.put("one", 1);
        ages.put("two", 2);
        Person ada = new Person("Ada", 36, new Address("Paris", List.of("x", "y")));
        Person nothing = null;
        System.out.println("values " + yes + whole + huge + ratio + name + lines + list + ages + ada + nothing); //@mark values-end
    }

    static void big() {
        int[] million = new int[1_000_000];
        for (int i = 0; i < million.length; i++) {
            million[i] = i;
        }
        String text = "0123456789".repeat(100_000);
        Level deep = null;
        for (int i = 50; i > 0; i--) {
            deep = new Level(i, deep);
        }
        System.out.println("big " + million.length + " " + text.length() + " " + deep.depth()); //@mark big-end
    }

    static void bump() {
        counter++; //@mark write
        System.out.println("bumped"); //@mark written
        System.out.println("for sure"); //@mark written-after
    }

    static void watch() {
        System.out.println("watch " + counter); //@mark watch-start
        bump();
        System.out.println("counter " + counter); //@mark watch-end
    }

    static void fail(int code) {
        throw new IllegalStateException("tour failed: " + code); //@mark throw
    }

    static void throwing() {
        System.out.println("before");
        fail(7); //@mark throw-call
    }

    static void catching() {
        try {
            fail(8);
        } catch (IllegalStateException e) {
            System.out.println("caught " + e.getMessage()); //@mark caught
        }
    }

    static void exit3() {
        System.out.println("last words");
        System.err.println("last complaint");
        System.exit(3); //@mark exit
    }

    static void streams() {
        for (int i = 1; i <= 3; i++) {
            System.out.println("out " + i);
            System.err.println("err " + i); //@mark stream
        }
        System.out.print("no newline at the end");
        System.out.flush();
    }

    static void echo() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int n = 0;
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            n++;
            System.out.println(n + ": " + text); //@mark line
        }
        System.out.println("end after " + n + " lines");
    }

    static void spin() {
        System.out.println("spinning");
        long limit = -1;
        long unused = 0;
        for (long n = 0; limit < 0 || n < limit; n++) {
            unused = n * 2; //@mark spin
        }
        System.out.println("spun");
    }

    static void tick(int n) {
        System.out.println("tick " + n); //@mark tick
    }

    static void sleep() throws InterruptedException {
        for (int n = 0; n < 2400; n++) {
            tick(n);
            Thread.sleep(50);
        }
    }

    static void hold(CountDownLatch gate, CountDownLatch arrived) {
        try {
            arrived.countDown();
            gate.await(); //@mark hold
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void threads() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(20);
        Thread[] gone = new Thread[20];
        for (int i = 0; i < gone.length; i++) {
            gone[i] = new Thread(() -> hold(gate, arrived));
            gone[i].start();
        }
        arrived.await();
        Thread.sleep(100); // until each stands at the gate
        System.out.println("gathered"); //@mark gathered
        gate.countDown();
        for (Thread t : gone) {
            t.join();
        }
    }

    static int dive(int depth) {
        if (depth == 0) {
            return 0; //@mark bottom
        }
        return dive(depth - 1) + 1;
    }

    static void recursion() {
        System.out.println("depth " + dive(500));
    }
}
