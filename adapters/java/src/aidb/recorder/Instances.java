package aidb.recorder;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The instances of a type, known from when their constructors return until they are collected. */
final class Instances {
    private static final int MOST = 100_000; // that are known: of what comes after them nothing is

    /** One of them, and what was judged of it last. */
    static final class Instance extends WeakReference<Object> {
        final long number;
        volatile boolean held;
        Object[] was;

        Instance(Object it, long number) {
            super(it);
            this.number = number;
        }
    }

    private final String name;
    private final Map<Class<?>, Boolean> kinds = new ConcurrentHashMap<>(); // whether they are meant
    private List<Instance> all = new ArrayList<>();
    private long number;

    Instances(String name) {
        this.name = name;
    }

    /** A constructor of a class returns. That of a parent has not built the object yet. */
    void built(Object it, String type) {
        Class<?> kind = it.getClass();
        if (!kind.getName().equals(type) || !kinds.computeIfAbsent(kind, this::meant)) {
            return;
        }
        synchronized (this) {
            if (number < MOST) {
                all.add(new Instance(it, ++number));
                return;
            }
        }
        Hooks.wish.once("only the first " + MOST + " instances of " + name + " were looked at");
    }

    /** What built it was called by another constructor of the same class, which goes on. */
    synchronized void unbuilt(Object it) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Instance one = all.get(i);
            if (one.get() == it) {
                all.remove(i);
                number -= one.number == number ? 1 : 0;
                return;
            }
        }
    }

    private boolean meant(Class<?> kind) {
        for (Class<?> k = kind; k != null; k = k.getSuperclass()) {
            if (named(k)) {
                return true;
            }
            for (Class<?> i : k.getInterfaces()) {
                if (meant(i)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean named(Class<?> kind) {
        String whole = kind.getName().replace('$', '.');
        return whole.equals(name) || whole.endsWith("." + name);
    }

    synchronized long number() {
        return number;
    }

    /** Those that live, and the objects at the same places of the other list. */
    synchronized List<Instance> living(List<Object> objects) {
        List<Instance> found = new ArrayList<>(all.size());
        for (Instance one : all) {
            Object it = one.get();
            if (it != null) {
                found.add(one);
                objects.add(it);
            }
        }
        if (found.size() < all.size()) {
            all = new ArrayList<>(found);
        }
        return found;
    }
}
