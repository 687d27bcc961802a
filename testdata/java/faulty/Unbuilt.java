class Unbuilt {
    public static void main(String[] args) {
        int wrong = "seven"; //@mark unbuilt
    }
}
