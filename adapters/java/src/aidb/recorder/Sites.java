package aidb.recorder;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The places that code was put into, by the numbers that this code says. */
final class Sites {
    static int base; // the number of the first place
    static int last = Integer.MAX_VALUE; // that there may be
    private static volatile Site[] sites = new Site[256];
    private static int known;

    private Sites() {}

    static Site get(int number) {
        return sites[number - base];
    }

    static synchronized int add(Site site) {
        if (base + known > last) {
            throw new IllegalStateException("it has too many places");
        }
        if (known == sites.length) {
            sites = Arrays.copyOf(sites, known * 2);
        }
        sites[known] = site;
        return base + known++;
    }

    static synchronized int count() {
        return known;
    }

    /** The methods that code was put into: class and name. */
    static synchronized Set<String> methods() {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < known; i++) {
            String function = sites[i].method.function;
            names.add(sites[i].owner + function.substring(function.lastIndexOf('.')));
        }
        return names;
    }
}
