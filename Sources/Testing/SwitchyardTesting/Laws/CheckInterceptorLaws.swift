import HTTPTypes
public import Interception

/// Checks the laws of interceptors and returns the violations as sentences; it never fails a test by itself.
///
/// ```swift
/// let report = await checkInterceptorLaws(MyInterceptor(clock: clock))
/// #expect(report.violations.isEmpty, "\(report)")        // Swift Testing
/// XCTAssertEqual(report.violations, [], "\(report)")     // XCTest
/// try report.check()                                     // anything that shows a thrown error
/// ```
///
/// The interceptor is called outside a pipeline, with bodies in the form that its traits declare. A law that
/// no sample can verify, such as one about `next` for an interceptor that rejects every sample, is reported
/// as unproven.
///
/// - Parameters:
///   - interceptor: Creates the interceptor; evaluated for each law and sample, so that no state is carried
///     over.
///   - samples: The requests to check with; by default a cacheable GET and a POST. Pass others if the
///     interceptor rejects these.
///   - patience: The maximum time for the interceptor to react to a cancellation or to release a response.
public func checkInterceptorLaws<Subject: Interceptor>(
  _ interceptor: @autoclosure () -> Subject, samples: [Request]? = nil, patience: Duration = .seconds(2)
) async -> InterceptorLawReport {
  await checkInterceptorLaws(
    interceptor(), laws: InterceptorLaw.allCases, samples: samples, patience: patience)
}

/// Checks some of the laws of interceptors.
package func checkInterceptorLaws<Subject: Interceptor>(
  _ interceptor: @autoclosure () -> Subject, laws: [InterceptorLaw], samples: [Request]? = nil,
  patience: Duration = .seconds(2)
) async -> InterceptorLawReport {
  var violations: [InterceptorLawReport.Violation] = []
  var unproven: [InterceptorLaw: String] = [:]
  let name = interceptor().name
  for law in laws {
    var reasons: [String] = []
    let samples = samples ?? Request.lawSamples
    for sample in samples {
      let check = LawCheck(subject: interceptor(), sample: sample, patience: patience)
      switch await check.find(law) {
      case .kept: break
      case .broken(let sentence): violations.append(.init(law: law, interceptor: name, sentence: sentence))
      case .unproven(let reason): reasons.append(reason)
      }
    }
    if reasons.count == samples.count { unproven[law] = reasons.first ?? "there is no sample" }
  }
  var seen: Set<InterceptorLawReport.Violation> = []
  return InterceptorLawReport(
    interceptor: name, breaches: violations.filter { seen.insert($0).inserted }, unproven: unproven)
}

extension Request {
  /// Requests that are relevant to most interceptors.
  fileprivate static var lawSamples: [Request] {
    var get = Request(authority: "api.switchyard.test", path: "/houses?city=Hangzhou&page=2")
    get.context.api = APIIdentity(service: "estate", name: "houses.list")
    get.context.cacheRule = .timed()
    var post = Request(
      method: .post, authority: "api.switchyard.test", path: "/houses",
      headerFields: [.contentType: "application/json"], body: .text("{\"city\":\"Hangzhou\"}"))
    post.context.api = APIIdentity(service: "estate", name: "houses.add")
    return [get, post]
  }
}
