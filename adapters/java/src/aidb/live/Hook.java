package aidb.live;

import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * What code that was put into a running program calls. It stays in the JVM after a trace was taken out, for classes
 * cannot be taken out of the boot loader: it is small, knows no recorder, and its names must stay as they are.
 */
public final class Hook {
    /** How many places one recorder has. */
    public static final int PLACES = 1 << 12;

    private static volatile BiConsumer<?, ?>[] recorders = {};

    private Hook() {}

    /** Gives a recorder the numbers of its places: from so many times {@link #PLACES} on. They are never given again. */
    public static synchronized int add(BiConsumer<Integer, Object[]> recorder) {
        BiConsumer<?, ?>[] more = Arrays.copyOf(recorders, recorders.length + 1);
        more[recorders.length] = recorder;
        recorders = more;
        return more.length - 1;
    }

    /** Has what was put in for a recorder do nothing. */
    public static synchronized void remove(int number) {
        BiConsumer<?, ?>[] less = recorders.clone();
        less[number] = null;
        recorders = less;
    }

    @SuppressWarnings("unchecked")
    private static void tell(int place, Object... what) {
        BiConsumer<?, ?>[] all = recorders;
        BiConsumer<?, ?> recorder = all[place / PLACES];
        if (recorder == null) {
            return;
        }
        try {
            ((BiConsumer<Integer, Object[]>) recorder).accept(place, what);
        } catch (Throwable nothing) { // the program goes on as without us
            return;
        }
    }

    public static void hit(Object self, Object[] values, int place) {
        tell(place, 'p', self, values);
    }

    public static void enter(Object self, Object[] values, int place) {
        tell(place, 'e', self, values);
    }

    public static void left(int place) {
        tell(place, 'l');
    }

    public static void left(Object result, int place) {
        tell(place, 'r', result);
    }

    public static void raised(Throwable error, int place) {
        tell(place, 't', error);
    }

    public static void written(Object after, Object of, Object before, int place) {
        tell(place, 'w', of, before, after);
    }

    public static void written(Object before, Object after, int place) {
        tell(place, 'w', null, before, after);
    }
}
