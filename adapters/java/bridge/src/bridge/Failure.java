package bridge;

/** What could not be done and why, in words for the user. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String why) {
        super(why, null, false, false);
    }

    Failure(String format, Object... args) {
        this(String.format(format, args));
    }
}
