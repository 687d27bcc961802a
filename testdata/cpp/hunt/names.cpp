// Functions of templates and of a namespace without a name, a type that is only
// declared, and a loop without braces.
#include <cstdio>

struct Sealed;

namespace {
template <typename T> struct Shelf {
	T kept = 0;
	T price(T cents) { return kept = cents * 2; } //@mark price
	virtual ~Shelf() { std::puts("gone"); }
};

template <typename T> T twice(T cents, Sealed *)
{
	Shelf<T> *shelf = new Shelf<T>;
	T out = shelf->price(cents); //@mark out
	delete shelf;
	return out; //@mark twice
}
} // namespace

int main()
{
	int storage = 0;
	Sealed *sealed = reinterpret_cast<Sealed *>(&storage);
	for (int i = 0; i < 2; i++)
		storage += twice(i + 20, sealed); //@mark sum
	std::printf("%d\n", storage); //@mark shown
}
