#pragma once

#include <string>
#include <vector>

// The words of a text, without what stands between them.
std::vector<std::string> words(const std::string &text);
