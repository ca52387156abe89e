// The umbrella: `import Switchyard` gives an app every part of the library, and the currency types of HTTP
// with it.

@_exported public import APIManagers
@_exported public import BodyCompression
@_exported public import CurlTransport
@_exported public import DNSBypass
@_exported public import HTTPTypes
@_exported public import Interception
@_exported public import Mediation
@_exported public import Navigation
@_exported public import RequestLogging
@_exported public import RequestSigning
@_exported public import RequestValidation
@_exported public import ResponseCaching
