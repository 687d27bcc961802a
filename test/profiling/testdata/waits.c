/* Stands: three threads at a lock, one asleep, one reading, and main waiting for the first. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t taken = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void grab(void) {
    pthread_mutex_lock(&taken);
    pthread_mutex_unlock(&taken);
}

static void *locker(void *p) {
    grab();
    return p;
}

static void *sleeper(void *p) {
    sleep(1000);
    return p;
}

static void *reader(void *p) {
    char c;
    while (read(ends[0], &c, 1) > 0)
        ;
    return p;
}

int main(void) {
    pthread_t t[5];
    pthread_mutex_lock(&taken);
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, locker, NULL);
    pthread_create(&t[3], NULL, sleeper, NULL);
    pthread_create(&t[4], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    return 0;
}
