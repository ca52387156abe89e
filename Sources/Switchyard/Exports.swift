// The umbrella module: `import Switchyard` imports every part of the library that most apps need,
// HTTPTypes for requests and responses, and Logging for the logger that `LoggingInterceptor` takes.

@_exported public import APIManagers
@_exported public import BodyFormats
@_exported public import CookieKeeping
@_exported public import DNSBypass
@_exported public import Downloads
@_exported public import HTTPTypes
@_exported public import Interception
@_exported public import Logging
@_exported public import Mediation
@_exported public import Navigation
@_exported public import NetworkMonitoring
@_exported public import RateLimiting
@_exported public import RedirectFollowing
@_exported public import RequestAuthorization
@_exported public import RequestLogging
@_exported public import RequestMerging
@_exported public import RequestRetry
@_exported public import RequestSharing
@_exported public import RequestSigning
@_exported public import RequestValidation
@_exported public import ResponseCaching
@_exported public import RouteRedirects

// Apple's systems have neither libcurl with OpenSSL for apps, nor brotli and Zstandard.
#if !canImport(Darwin)
@_exported public import BodyCompression
@_exported public import CurlTransport
#endif
