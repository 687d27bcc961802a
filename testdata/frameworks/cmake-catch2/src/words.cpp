#include "words.h"

#include <cctype>

std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> found;
  std::string word;
  for (char c : text + " ") {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += c;
    } else if (!word.empty()) {
      found.push_back(word);
      word.clear();
    }
  }
  return found; // @mark found
}
