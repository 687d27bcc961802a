package aidb.recorder;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The methods of the user's own classes that are under way: "Cart.total /home/me/Cart.java:7". */
final class Callers {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Callers() {}

    /** Those of the method that runs, the nearest first. */
    static List<String> nearest(int most) {
        return frames(1, most);
    }

    /** How many calls of a method are under way in this thread. */
    static long count(String type, String method, String descriptor) {
        return WALKER.walk(new Function<Stream<StackFrame>, Long>() {
            @Override
            public Long apply(Stream<StackFrame> frames) {
                long n = 0;
                for (Iterator<StackFrame> all = frames.iterator(); all.hasNext();) {
                    StackFrame f = all.next();
                    n += f.getMethodName().equals(method) && f.getClassName().equals(type) && f.getDescriptor().equals(descriptor) ? 1 : 0;
                }
                return n;
            }
        });
    }

    /** All, the nearest first, but for the first so many frames of the program. */
    static List<String> frames(int skip, int most) {
        return WALKER.walk(new Function<Stream<StackFrame>, List<String>>() {
            @Override
            public List<String> apply(Stream<StackFrame> frames) {
                return told(frames.iterator(), skip, most);
            }
        });
    }

    private static List<String> told(Iterator<StackFrame> frames, int skip, int most) {
        List<String> list = new ArrayList<>();
        int left = skip;
        while (list.size() < most && frames.hasNext()) {
            StackFrame f = frames.next();
            String type = f.getClassName();
            if (!type.startsWith("aidb.") && left-- <= 0 && f.getLineNumber() > 0 && Agent.owns(type)) {
                list.add(Show.type(f.getDeclaringClass()) + "." + f.getMethodName() + " " + Agent.fileOf(type, f.getFileName()) + ":" + f.getLineNumber());
            }
        }
        return list;
    }
}
