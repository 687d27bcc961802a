class Unbuilt {
    public static void main(String[] args) {
        int wrong = "seven"; //@unbuilt
    }
}
