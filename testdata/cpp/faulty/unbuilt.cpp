int main() {
  int wrong = "seven"; //@mark unbuilt
  return wrong;
}
