from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
SECRET_KEY = "for this sample only"
DEBUG = True
INSTALLED_APPS = ["greetings"]
ROOT_URLCONF = "mysite.urls"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": BASE_DIR / "db.sqlite3"}}
