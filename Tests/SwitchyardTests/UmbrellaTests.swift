import Switchyard
import Testing

@Suite("import Switchyard")
struct UmbrellaTests {
  @Test("gives every part of the library, and the currency types of HTTP")
  func parts() {
    let names = [
      "\(Pipeline.self)", "\(CurlDispatcher.self)", "\(ServiceAddress.self)", "\(Mediator.self)",
      "\(NavigationState.self)", "\(ValidationInterceptor.self)", "\(SigningInterceptor.self)",
      "\(CachingInterceptor.self)", "\(DNSBypassInterceptor.self)", "\(CompressionInterceptor.self)",
      "\(LoggingInterceptor.self)", "\(HTTPField.self)",
    ]
    #expect(Set(names).count == 12)
  }
}
