console.log('here');
require('no-such-package'); //@mark absent
