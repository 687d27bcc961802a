package aidb.recorder;

/** What is known of a thread. */
final class State {
    Frame top;
    boolean busy; // what runs was called from here
    private boolean resumed; // what it knew while all was only counted is forgotten
    Object held;
    Moments.Call judged; // the innermost call in which a condition is
    Notes.Value value; // of the condition at the last judgement, where its values are wanted

    /** Is asked before anything is noted. */
    void notes() {
        if (Sparse.resumed && !resumed) {
            resumed = true;
            for (Frame f = top; f != null; f = f.up) {
                f.resume();
            }
        }
    }
}
