package aidb.recorder;

/** Bytes that are put together. One thread does that, so that nothing is locked, as ByteArrayOutputStream does. */
final class Bytes {
    private byte[] bytes;
    private int size;

    Bytes(int room) {
        bytes = new byte[room];
    }

    int size() {
        return size;
    }

    private void need(int more) {
        if (size + more > bytes.length) {
            bytes = java.util.Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    void write(int b) {
        need(1);
        bytes[size++] = (byte) b;
    }

    void set2(int at, int n) {
        bytes[at] = (byte) (n >>> 8);
        bytes[at + 1] = (byte) n;
    }

    void write(byte[] from, int at, int length) {
        need(length);
        System.arraycopy(from, at, bytes, size, length);
        size += length;
    }

    void write(Bytes from) {
        write(from.bytes, 0, from.size);
    }

    void write(byte[] from) {
        write(from, 0, from.length);
    }

    byte[] toByteArray() {
        return java.util.Arrays.copyOf(bytes, size);
    }
}
