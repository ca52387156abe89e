/// The programs that are measured.
enum Peer: String, CaseIterable {
  /// Our dispatcher, or the chain named by the experiment.
  case ours
  case oursStandardSix = "standard-six"
  /// All that the standard chain of an app has.
  case oursAppChain = "app-chain"
  case oursOnLoop = "on-loop"
  case oursWithoutSpinning = "no-spin"
  /// Storms of identical requests, of which the sharing interceptor sends one.
  case oursStorm = "storm"
  /// The mediator, which opens an action by its URL.
  case oursOpening = "open"
  /// What a load by a client adds to sending its request.
  case oursAPIs = "apis"
  /// Swift's pool, called from the main actor.
  case hop
  /// Foundation's decoder of JSON.
  case jsonDecoder = "json-decoder"
  /// Six asynchronous calls through a protocol that only forward: `chain.six-bare`.
  case bareChain = "bare"
  case cProgram = "c"
  /// The C library that does the work, called by a C program.
  case cLibrary = "c-library"
  /// Python's websockets.
  case python
  /// Our dispatcher without a connection opened before.
  case unconnected
  /// One task that reads the cache on a disk.
  case oneReader = "one"
  /// `openssl speed`.
  case openSSL = "openssl"
  /// The verifier of signatures.
  case oursVerifying = "verify"
  case asyncHTTPClient = "ahc"
  case urlSession = "urlsession"
  case okHttp = "okhttp"

  /// The host of its URLs over the wire: the DNS bypass handles only names, not addresses.
  var host: String { self == .oursStandardSix || self == .oursAppChain ? "localhost" : "127.0.0.1" }

  /// The factor by which warm-up is extended for a virtual machine to compile its code.
  var warmUpFactor: Int { self == .okHttp ? 20 : 1 }
}
