package aidb.text;

/** What could not be done and why, in words for the user. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Failure(String why) {
        super(why, null, false, false);
    }

    public Failure(String format, Object... args) {
        this(String.format(format, args));
    }
}
