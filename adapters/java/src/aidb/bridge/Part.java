package aidb.bridge;

import java.util.List;

/** A view of a part of a list. */
final class Part extends Contents {
    private final Contents of;
    private final int first;

    Part(Contents of, int first, int size) {
        super(size);
        this.of = of;
        this.first = first;
    }

    @Override
    List<Entry> slice(int start, int count) {
        return of.slice(first + start, Math.max(0, Math.min(count, size - start)));
    }
}
