#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Swift does not import compound macros. Names in the form of RFC 2253, with characters beyond ASCII as they are.
static const unsigned long switchyard_tool_name_flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
