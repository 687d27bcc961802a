package aidb.bridge;

/** What the instructions are: their lengths. */
public final class Ops {
    private static final byte[] LENGTHS = new byte[256];

    static {
        java.util.Arrays.fill(LENGTHS, (byte) 1);
        set(2, 0x10, 0x12, 0x15, 0x16, 0x17, 0x18, 0x19, 0x36, 0x37, 0x38, 0x39, 0x3a, 0xa9, 0xbc);
        set(3, 0x11, 0x13, 0x14, 0x84, 0xc0, 0xc1, 0xbb, 0xbd, 0xc6, 0xc7);
        for (int op = 0x99; op <= 0xa8; op++) {
            LENGTHS[op] = 3;
        }
        for (int op = 0xb2; op <= 0xb8; op++) {
            LENGTHS[op] = 3;
        }
        set(5, 0xb9, 0xba, 0xc8, 0xc9);
        set(4, 0xc5);
        set(0, 0xaa, 0xab, 0xc4); // depend on what follows
    }

    private Ops() {}

    private static void set(int length, int... ops) {
        for (int op : ops) {
            LENGTHS[op] = (byte) length;
        }
    }

    public static int length(byte[] code, int i) {
        int length = LENGTHS[code[i] & 0xff];
        return length > 0 ? length : special(code, i);
    }

    public static int u4(byte[] from, int p) {
        return (from[p] & 0xff) << 24 | (from[p + 1] & 0xff) << 16 | (from[p + 2] & 0xff) << 8 | from[p + 3] & 0xff;
    }

    private static int special(byte[] code, int i) {
        int p = i + 4 - i % 4;
        return switch (code[i] & 0xff) {
            case 0xaa -> p - i + 12 + 4 * (u4(code, p + 8) - u4(code, p + 4) + 1);
            case 0xab -> p - i + 8 + 8 * u4(code, p + 4);
            default -> (code[i + 1] & 0xff) == 0x84 ? 6 : 4;
        };
    }
}
