import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** See testdata/go/pest: surrounds itself with processes, ignores signals, stays. */
public class Pest {
    static final int SERIAL = 0; // edited to have it built anew

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"TERM", "INT", "HUP"}) {
            sun.misc.Signal.handle(new sun.misc.Signal(name), sun.misc.SignalHandler.SIG_IGN);
        }
        List<String> command = new ArrayList<>(List.of("sh", "pest.sh"));
        command.addAll(Arrays.asList(args).subList(1, args.length));
        new ProcessBuilder(command).inheritIO().start().waitFor();
        System.out.println("ready " + SERIAL);
        int ticks = 0;
        while (!args[0].equals("exit") || ticks < 3) {
            ticks++; //@mark stop
            Thread.sleep(10);
        }
    }
}
