int main() {
  int wrong = "seven"; //@unbuilt
  return wrong;
}
