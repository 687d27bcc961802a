package aidb.recorder;

/** What names mean where the condition is judged, and what was seen of its operands. */
final class Look extends Scope {
    final Got[] seen;
    Meaning[] meanings = Meaning.NONE;
    private Object each; // the instance that is judged, where there is one
    private final Got result; // of the call, null before it has returned
    private boolean careful; // nothing is called but what is known to only read

    Look(Site site, Object self, Object[] values, int operands, Got result) {
        super(site, self, values, null);
        seen = new Got[operands];
        this.result = result;
    }

    /** The same for an instance. */
    Look forInstance(Object it) {
        Look look = new Look(site, self, values(), seen.length, result);
        look.meanings = meanings;
        look.each = it;
        return look;
    }

    Object each() {
        return each;
    }

    @Override
    public Got name(String name) {
        if (each != null && name.equals(Condition.EACH)) {
            return Got.of(each);
        }
        if (result != null && name.equals(Condition.RESULT)) {
            return result;
        }
        for (Meaning m : meanings) {
            if (m.name.equals(name)) {
                return m.get(this);
            }
        }
        return super.name(name);
    }

    boolean returned() {
        return result != null;
    }

    @Override
    public void sees(int operand, Got got) {
        seen[operand] = got;
    }

    @Override
    boolean calls(Class<?> type, String method) {
        return !careful || Condition.reads(type, method);
    }

    /** The value of an operand: as the condition saw it, else as it is when it is only read. */
    Got operand(Condition of, int i, boolean onlyRead) {
        if (seen[i] == null) {
            careful = onlyRead;
            try {
                seen[i] = guarded(of.operands.get(i));
            } finally {
                careful = false;
            }
        }
        return seen[i];
    }
}
