package aidbrecorder;

import java.util.List;

/** The methods of the user's own classes that are under way: "Cart.total /home/me/Cart.java:7". */
final class Callers {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private Callers() {}

    /** Those of the method that runs, the nearest first. */
    static List<String> nearest(int most) {
        return frames(1, most);
    }

    /** All, the nearest first, but for the first so many frames of the program. */
    static List<String> frames(int skip, int most) {
        return WALKER.walk(frames -> frames.filter(f -> !f.getClassName().startsWith("aidbrecorder."))
            .skip(skip).filter(f -> f.getLineNumber() > 0 && Agent.owns(f.getClassName())).limit(most)
            .map(f -> Show.type(f.getDeclaringClass()) + "." + f.getMethodName() + " " + Agent.fileOf(f.getClassName(), f.getFileName()) + ":" + f.getLineNumber()).toList());
    }
}
