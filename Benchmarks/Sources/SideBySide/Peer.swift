/// The programs that are measured.
enum Peer: String, CaseIterable {
  /// Our dispatcher, or the chain named by the experiment.
  case ours
  case oursStandardSix = "standard-six"
  /// The interceptor that decodes responses, alone.
  case oursDecoding = "decoding"
  /// All that the standard chain of an app has.
  case oursAppChain = "app-chain"
  case oursUncachedAppChain = "uncached-app-chain"
  case oursOnLoop = "on-loop"
  case oursWithoutSpinning = "no-spin"
  /// Our dispatcher over HTTP/2, where HTTP/3 is measured.
  case oursOverHTTP2 = "h2"
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
  /// The C program with libcurl's own decoder.
  case cProgramDecoding = "c-decoding"
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
  /// The duties of an app's chain over OkHttp, and the same without its cache.
  case okHttpChain = "okhttp-chain"
  case okHttpUncachedChain = "okhttp-uncached-chain"

  /// The host of its URLs over the wire: the DNS bypass handles only names, not addresses.
  var host: String {
    switch self {
    case .oursStandardSix, .oursAppChain, .oursUncachedAppChain, .okHttpChain, .okHttpUncachedChain:
      "localhost"
    default: "127.0.0.1"
    }
  }

  /// Whether it runs on Java's virtual machine, which compiles its code while it runs.
  var isJava: Bool { [.okHttp, .okHttpChain, .okHttpUncachedChain].contains(self) }

  /// The unmeasured requests before a load over the wire.
  ///
  /// For a virtual machine they are twenty times as many, and as many in a quick run, because its compiler
  /// needs them.
  ///
  /// - Parameters:
  ///   - requests: The measured requests.
  ///   - usual: Those of a full run.
  func warmUp(requests: Int, usual: Int, inFlight: Int) -> Int {
    isJava ? max(usual / 10, inFlight * 2) * 20 : max(requests / 10, inFlight * 2)
  }
}
